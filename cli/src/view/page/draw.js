// Draws frames with WebGL2: sections of a frame go to textures and buffers as they came.

import { CELL_COLORS } from './legend.js'
import { PROGRAMS } from './shaders.js'

/** Rows of a texture are 1024 bodies wide; the shaders know this. */
const WIDTH = 1024
const COLORS = [
  'circle',
  'box',
  'capsule',
  'polygon',
  'static',
  'flash',
  'ink',
  'contact',
  'bound',
  'ray',
  'group-1',
  'group-2',
  'group-3',
  ...Array.from({ length: CELL_COLORS }, (_, level) => `cell-${level}`),
]

export class Renderer {
  /** Throws if there is no WebGL2. */
  constructor(canvas) {
    this.canvas = canvas
    const gl = (this.gl = canvas.getContext('webgl2', {
      alpha: true,
      antialias: true,
      premultipliedAlpha: true,
    }))
    if (!gl) throw new Error('no WebGL2')
    this.programs = Object.fromEntries(
      Object.entries(PROGRAMS).map(([name, pair]) => [name, build(gl, pair)]),
    )
    const part = {
      row: [1, true, 0],
      at: [2, false, 4],
      turn: [2, false, 12],
      halves: [2, false, 20],
      radius: [1, false, 28],
    }
    this.parts = new Vertices(gl, this.programs.part, 32, part, 1)
    this.mesh = new Vertices(
      gl,
      this.programs.mesh,
      12,
      { row: [1, true, 0], at: [2, false, 4] },
      0,
    )
    this.edges = gl.createBuffer()
    const box = { box: [4, false, 0] }
    this.cells = new Vertices(gl, this.programs.rect, 24, { ...box, info: [2, true, 16] }, 1)
    this.bounds = new Vertices(gl, this.programs.rect, 16, box, 1)
    this.border = new Vertices(gl, this.programs.rect, 16, box, 1)
    this.contacts = new Vertices(
      gl,
      this.programs.line,
      20,
      { from: [2, false, 0], to: [2, false, 8] },
      1,
    )
    this.rays = new Vertices(
      gl,
      this.programs.line,
      20,
      { from: [2, false, 0], to: [2, false, 8], hit: [1, true, 16] },
      1,
    )
    this.capacity = 0
    this.shapes = -1
    gl.enable(gl.BLEND)
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1)
    this.theme()
  }

  /** Reads the colours from the style sheet. */
  theme() {
    const style = getComputedStyle(document.documentElement)
    this.palette = new Float32Array(
      COLORS.flatMap((name) => {
        const hex = style.getPropertyValue(`--${name}`).trim().slice(1)
        const long = hex.length === 3 ? hex.replace(/./g, '$&$&') : hex
        return [0, 2, 4].map((at) => parseInt(long.slice(at, at + 2), 16) / 255)
      }),
    )
  }

  reserve(rows) {
    if (rows <= this.capacity) return
    const gl = this.gl
    const height = Math.max(1, Math.ceil((1.2 * rows) / WIDTH))
    this.capacity = height * WIDTH
    const formats = [gl.R32F, gl.R32F, gl.R8, gl.R16I, gl.R16I, gl.R8UI]
    this.textures?.forEach((texture) => gl.deleteTexture(texture))
    this.textures = formats.map((format, unit) => {
      const texture = gl.createTexture()
      gl.activeTexture(gl.TEXTURE0 + unit)
      gl.bindTexture(gl.TEXTURE_2D, texture)
      gl.texStorage2D(gl.TEXTURE_2D, 1, format, WIDTH, height)
      for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER])
        gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST)
      return texture
    })
  }

  /** Writes `rows` values from `data[from]` on: whole lines of the texture, then what is left. */
  fill(unit, format, type, data, from, rows) {
    const gl = this.gl
    const lines = Math.floor(rows / WIDTH)
    const rest = rows - lines * WIDTH
    gl.activeTexture(gl.TEXTURE0 + unit)
    if (lines) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, WIDTH, lines, format, type, data, from)
    if (rest)
      gl.texSubImage2D(
        gl.TEXTURE_2D,
        0,
        0,
        lines,
        rest,
        1,
        format,
        type,
        data,
        from + lines * WIDTH,
      )
  }

  /** Takes over a new frame. */
  upload(frames) {
    const gl = this.gl
    const { rows, POSE: pose, TURN: turn } = frames
    if (!pose || !frames.FLAG) return
    this.reserve(rows)
    this.fill(0, gl.RED, gl.FLOAT, pose, 0, rows)
    this.fill(1, gl.RED, gl.FLOAT, pose, rows, rows)
    this.fill(2, gl.RED, gl.UNSIGNED_BYTE, frames.heat, 0, rows)
    if (turn) {
      this.fill(3, gl.RED_INTEGER, gl.SHORT, turn, 0, rows)
      this.fill(4, gl.RED_INTEGER, gl.SHORT, turn, rows, rows)
    }
    this.fill(5, gl.RED_INTEGER, gl.UNSIGNED_BYTE, frames.FLAG, 0, rows)
    this.turns = Boolean(turn)
    if (this.shapes !== frames.shapes) {
      this.shapes = frames.shapes
      this.parts.write(frames.PART, gl.STATIC_DRAW)
      this.mesh.write(frames.MESH, gl.STATIC_DRAW)
      this.outline(frames.MESH)
      this.size = typicalSize(frames.PART, frames.MESH)
    }
    this.cells.write(frames.CELL)
    this.bounds.write(frames.BOND)
    this.contacts.write(frames.CONT)
    this.rays.write(frames.RAYS)
  }

  /** The distances of each vertex of the mesh from the sides of its triangle on the outline. */
  outline(mesh) {
    const gl = this.gl
    const rows = new Uint32Array(mesh.buffer, mesh.byteOffset, mesh.length)
    const edge = new Uint8Array(mesh.length)
    const same = (a, b) => mesh[a + 1] === mesh[b + 1] && mesh[a + 2] === mesh[b + 2]
    for (let start = 0, end; start < mesh.length; start = end) {
      for (end = start; end < mesh.length && rows[end] === rows[start];) end += 9
      for (let at = start; at < end; at += 9) {
        for (let k = 0; k < 3; k++) {
          // The side opposite to vertex k, and whether another triangle of the body has it, too.
          const [a, b] = [at + 3 * ((k + 1) % 3), at + 3 * ((k + 2) % 3)]
          let inner = false
          for (let other = start; other < end && !inner; other += 9) {
            for (let j = 0; j < 3 && other !== at; j++) {
              const [c, d] = [other + 3 * j, other + 3 * ((j + 1) % 3)]
              inner ||= (same(a, c) && same(b, d)) || (same(a, d) && same(b, c))
            }
          }
          for (let j = 0; j < 3; j++) edge[at + 3 * j + k] = inner || j === k ? 255 : 0
        }
      }
    }
    gl.bindVertexArray(this.mesh.array)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.edges)
    gl.bufferData(gl.ARRAY_BUFFER, edge, gl.STATIC_DRAW)
    const at = this.programs.mesh.attributes.edge
    gl.enableVertexAttribArray(at)
    gl.vertexAttribPointer(at, 3, gl.UNSIGNED_BYTE, true, 3, 0)
  }

  draw(camera, calm) {
    const { gl, canvas } = this
    const dpr = Math.min(devicePixelRatio || 1, 2)
    const [width, height] = [Math.round(camera.width * dpr), Math.round(camera.height * dpr)]
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height })
    gl.viewport(0, 0, width, height)
    gl.clear(gl.COLOR_BUFFER_BIT)
    if (!this.capacity) return
    const px = camera.scale * dpr
    for (const { handle, uniforms: at } of Object.values(this.programs)) {
      gl.useProgram(handle)
      gl.uniform4f(at.view, camera.x, camera.y, (2 * px) / width, (2 * px) / height)
      gl.uniform1f(at.px, px)
      gl.uniform1f(at.dpr, dpr)
      gl.uniform2f(at.screen, 2 / width, 2 / height)
      gl.uniform3fv(at['palette[0]'], this.palette)
      ;['xs', 'ys', 'heats', 'cosines', 'sines', 'flags'].forEach((name, unit) =>
        gl.uniform1i(at[name] ?? null, unit),
      )
      gl.uniform1i(at.turns ?? null, this.turns ? 1 : 0)
      gl.uniform1f(at.calm ?? null, calm)
      gl.uniform1f(at.size ?? null, Math.min(Math.max(0.8 * this.size * px, 3 * dpr), 16 * dpr))
    }
    this.border.draw({ kind: 2 })
    this.parts.draw()
    this.mesh.draw()
    this.cells.draw({ kind: 0 })
    this.bounds.draw({ kind: 1 })
    this.rays.draw({ ray: 1 })
    this.contacts.draw({ ray: 0 })
  }
}

/** Records in a buffer, and how a program reads them: [numbers, whole, offset] an attribute. */
class Vertices {
  constructor(gl, program, stride, layout, divisor) {
    Object.assign(this, { gl, program, stride, divisor, count: 0, size: 0 })
    this.array = gl.createVertexArray()
    this.buffer = gl.createBuffer()
    gl.bindVertexArray(this.array)
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer)
    for (const [name, [numbers, whole, offset]] of Object.entries(layout)) {
      const at = program.attributes[name]
      gl.enableVertexAttribArray(at)
      if (whole) gl.vertexAttribIPointer(at, numbers, gl.UNSIGNED_INT, stride, offset)
      else gl.vertexAttribPointer(at, numbers, gl.FLOAT, false, stride, offset)
      gl.vertexAttribDivisor(at, divisor)
    }
    // What has no array reads a constant, which must be whole where the shader wants that.
    for (const name of ['info', 'hit']) {
      if (program.attributes[name] !== undefined && !layout[name])
        gl.vertexAttribI4ui(program.attributes[name], 0, 0, 0, 0)
    }
  }

  write(data, usage = this.gl.STREAM_DRAW) {
    const gl = this.gl
    this.count = Math.floor(data.byteLength / this.stride)
    if (!this.count) return
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer)
    if (data.byteLength > this.size || usage === gl.STATIC_DRAW) {
      gl.bufferData(gl.ARRAY_BUFFER, data, usage)
      this.size = data.byteLength
    } else gl.bufferSubData(gl.ARRAY_BUFFER, 0, data)
  }

  draw(whole = {}) {
    const gl = this.gl
    if (!this.count) return
    gl.useProgram(this.program.handle)
    for (const [name, value] of Object.entries(whole))
      gl.uniform1i(this.program.uniforms[name], value)
    gl.bindVertexArray(this.array)
    if (this.divisor) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.count)
    else gl.drawArrays(gl.TRIANGLES, 0, this.count)
  }
}

function build(gl, [vertex, fragment]) {
  const handle = gl.createProgram()
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ]) {
    const shader = gl.createShader(type)
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS))
      throw new Error(gl.getShaderInfoLog(shader))
    gl.attachShader(handle, shader)
  }
  gl.linkProgram(handle)
  if (!gl.getProgramParameter(handle, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(handle))
  const list = (count, info, place) =>
    Object.fromEntries(
      Array.from(
        { length: gl.getProgramParameter(handle, count) },
        (_, at) => gl[info](handle, at).name,
      ).map((name) => [name, gl[place](handle, name)]),
    )
  return {
    handle,
    uniforms: list(gl.ACTIVE_UNIFORMS, 'getActiveUniform', 'getUniformLocation'),
    attributes: list(gl.ACTIVE_ATTRIBUTES, 'getActiveAttrib', 'getAttribLocation'),
  }
}

/** The mean half size of some bodies: normals are drawn about as long. */
function typicalSize(parts, mesh) {
  let [sum, count] = [0, 0]
  const step = 8 * Math.ceil(parts.length / 8 / 500) || 8
  for (let at = 0; at < parts.length; at += step, count++)
    sum += Math.min(parts[at + 5], parts[at + 6]) + parts[at + 7]
  for (let at = 0; at < Math.min(mesh.length, 1500); at += 3, count++)
    sum += Math.hypot(mesh[at + 1], mesh[at + 2])
  return count ? sum / count : 1
}
