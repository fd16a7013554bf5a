// The settings in the address, after `#`.

const SETTINGS = ['scene', 'n', 'level', 'threads', 'touching', 'seed']
const NUMBERS = new Set(['n', 'threads', 'seed'])
const ARGON = ['area', 'target', 'verdict']
export const SHOWN = ['contacts', 'cells', 'bounds', 'rays', 'scalar']

/** What the address asks for: `settings`, `show` (or null), `argon`, `view`. */
export function read() {
  const fields = new URLSearchParams(location.hash.slice(1))
  const pick = (names) =>
    Object.fromEntries(
      names.filter((name) => fields.get(name)).map((name) => [name, fields.get(name)]),
    )
  const settings = pick(SETTINGS)
  for (const name of NUMBERS) {
    if (name in settings) settings[name] = Number(settings[name])
    if (!Number.isSafeInteger(settings[name])) delete settings[name]
  }
  const show = fields.has('show') ? fields.get('show').split(',') : null
  const view =
    fields.get('view') === 'exhibit' ? 'exhibit' : settings.scene === 'argon' ? 'argon' : 'world'
  return {
    settings,
    argon: pick(ARGON),
    view,
    show: show && Object.fromEntries(SHOWN.map((name) => [name, show.includes(name)])),
  }
}

export function write(settings, show, argon, view) {
  const fields = new URLSearchParams()
  for (const name of SETTINGS) if (settings[name] !== undefined) fields.set(name, settings[name])
  fields.set('show', SHOWN.filter((name) => show[name]).join(','))
  if (view === 'argon') for (const name of ARGON) if (argon[name]) fields.set(name, argon[name])
  if (view === 'exhibit') fields.set('view', view)
  history.replaceState(null, '', `#${fields.toString().replaceAll('%2C', ',')}`)
}
