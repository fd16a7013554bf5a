// The socket: JSON both ways, frames in; comes back by itself when the connection is lost.

const WAITS = [500, 1000, 2000, 4000]

export class Stream {
  /** `on` has a function for each type of message, and `frame(buffer)`, `open()`, `lost(text)`. */
  constructor(on) {
    this.on = on
    this.bytes = 0
    this.tries = 0
    this.connect()
  }

  connect() {
    const token = new URLSearchParams(location.search).get('token') ?? ''
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(
      `${scheme}://${location.host}/ws?token=${encodeURIComponent(token)}`,
    )
    socket.binaryType = 'arraybuffer'
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') {
        const message = JSON.parse(data)
        if (message.type === 'hello') this.tries = 0
        this.on[message.type]?.(message)
      } else {
        this.bytes += data.byteLength
        this.on.frame(data)
      }
    }
    socket.onclose = ({ code }) => {
      const wait = WAITS[Math.min(this.tries++, WAITS.length - 1)]
      this.on.lost(
        code === 1013
          ? 'Eight pages are open already. Close one of them. Trying again…'
          : 'The connection to the engine is lost. Trying again… ' +
              'If the command was started anew, open the address that it printed.',
      )
      setTimeout(() => this.connect(), wait)
    }
    this.socket = socket
  }

  /** False if there is no connection; nothing is kept for later. */
  send(type, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return false
    this.socket.send(JSON.stringify({ type, ...fields }))
    return true
  }
}
