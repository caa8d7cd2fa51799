import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** A port of the loopback interface on which nothing listens at the moment. */
export async function freePort() {
  const placeholder = createServer().listen(0, '127.0.0.1')
  await once(placeholder, 'listening')
  const { port } = placeholder.address()
  placeholder.close()
  await once(placeholder, 'close')
  return port
}

/** Whether a server accepts connections on a port of the loopback interface. */
export async function isListening(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
