// The settings in the address, after `#`.

const SETTINGS = ['scene', 'n', 'level', 'threads', 'touching', 'seed']
const NUMBERS = new Set(['n', 'threads', 'seed'])
const TOUCHING = ['inclusive', 'exclusive']
const ARGON = ['area', 'target', 'verdict']
export const SHOWN = ['contacts', 'cells', 'bounds', 'rays', 'scalar']

/**
 * What the address asks for: `settings`, `show` (or null), `argon`, `view`, `paused`; and `faults`, the
 * fields that are wrong, which are left out.
 */
export function read() {
  const fields = new URLSearchParams(location.hash.slice(1))
  const pick = (names) =>
    Object.fromEntries(
      names.filter((name) => fields.get(name)).map((name) => [name, fields.get(name)]),
    )
  const settings = pick(SETTINGS)
  const faults = []
  const drop = (name) => {
    faults.push(`${name} ${fields.get(name)}`)
    delete settings[name]
  }
  for (const name of NUMBERS) {
    if (!(name in settings)) continue
    settings[name] = Number(settings[name])
    const least = name === 'seed' ? 0 : 1
    if (!Number.isSafeInteger(settings[name]) || settings[name] < least) drop(name)
  }
  if ('touching' in settings && !TOUCHING.includes(settings.touching)) drop('touching')
  const show = fields.has('show') ? fields.get('show').split(',').filter(Boolean) : null
  const unknown = show?.filter((name) => !SHOWN.includes(name)) ?? []
  if (unknown.length) faults.push(`show ${unknown.join(',')}`)
  const view =
    fields.get('view') === 'exhibit' ? 'exhibit' : settings.scene === 'argon' ? 'argon' : 'world'
  return {
    settings,
    argon: pick(ARGON),
    view,
    faults,
    paused: fields.get('paused') === '1',
    show: show && Object.fromEntries(SHOWN.map((name) => [name, show.includes(name)])),
  }
}

export function write(settings, show, argon, view, paused) {
  const fields = new URLSearchParams()
  for (const name of SETTINGS) if (settings[name] !== undefined) fields.set(name, settings[name])
  fields.set('show', SHOWN.filter((name) => show[name]).join(','))
  if (view === 'argon') for (const name of ARGON) if (argon[name]) fields.set(name, argon[name])
  if (view === 'exhibit') fields.set('view', view)
  if (paused) fields.set('paused', '1')
  history.replaceState(null, '', `#${fields.toString().replaceAll('%2C', ',')}`)
}
