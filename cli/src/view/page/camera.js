// The part of the plane that is seen. Points of the screen are CSS pixels from the canvas's corner.

/** What lies over the upper and the lower rim of the picture, in pixels. */
const OVER = { top: 50, bottom: 72 }

export class Camera {
  constructor() {
    Object.assign(this, { x: 0, y: 0, scale: 1, width: 1, height: 1, bounds: null, changed: true })
  }

  resize(width, height) {
    // The same extent of the plane stays in view when the window changes.
    if (this.width > 1) this.scale *= Math.min(width / this.width, height / this.height)
    Object.assign(this, { width, height, changed: true })
  }

  /** Shows all of `bounds`, with a margin, between what lies over the picture. */
  fit(bounds = this.bounds) {
    if (!bounds) return
    const [minX, minY, maxX, maxY] = (this.bounds = bounds)
    const [width, height] = [Math.max(maxX - minX, 1e-6), Math.max(maxY - minY, 1e-6)]
    const free = Math.max(this.height - OVER.top - OVER.bottom, this.height / 3)
    this.scale = 0.95 * Math.min(this.width / width, free / height)
    this.x = (minX + maxX) / 2
    this.y = (minY + maxY) / 2 - (OVER.bottom - OVER.top) / 2 / this.scale
    this.changed = true
  }

  toWorld(px, py) {
    return [
      this.x + (px - this.width / 2) / this.scale,
      this.y - (py - this.height / 2) / this.scale,
    ]
  }

  pan(dx, dy) {
    this.x -= dx / this.scale
    this.y += dy / this.scale
    this.changed = true
  }

  /** Zooms; the point of the plane at (px, py) stays there. */
  zoom(factor, px = this.width / 2, py = this.height / 2) {
    const [x, y] = this.toWorld(px, py)
    const least = this.bounds ? 20 / Math.max(this.bounds[2] - this.bounds[0], 1e-6) : 1e-12
    this.scale = Math.min(Math.max(this.scale * factor, least), least * 1e7)
    const [nowX, nowY] = this.toWorld(px, py)
    this.x += x - nowX
    this.y += y - nowY
    this.changed = true
  }

  /** What is seen, with room for shapes at the rim. */
  look() {
    const [halfX, halfY] = [(0.52 * this.width) / this.scale, (0.52 * this.height) / this.scale]
    return { min: [this.x - halfX, this.y - halfY], max: [this.x + halfX, this.y + halfY] }
  }
}
