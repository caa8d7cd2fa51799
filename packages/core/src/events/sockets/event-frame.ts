/** The body of a response of `GET /events`. */
export function pollBody(queueId: string, events: readonly string[]): string {
  return `{"result":"success","msg":"","events":[${events.join(',')}],"queue_id":${JSON.stringify(queueId)}}`
}

/** The text that a WebSocket sends for events. */
export function eventsText(events: readonly string[]): string {
  return `{"events":[${events.join(',')}]}`
}

const finalTextFrame = 0x81
const longestShortText = 125
const longestMediumText = 0xffff

/** A whole frame of a server that sends `text`, uncompressed: RFC 6455, section 5.2. */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text)
  const headBytes = bytes <= longestShortText ? 2 : bytes <= longestMediumText ? 4 : 10
  const frame = Buffer.allocUnsafe(headBytes + bytes)
  frame[0] = finalTextFrame
  if (headBytes === 2) {
    frame[1] = bytes
  } else if (headBytes === 4) {
    frame[1] = 126
    frame.writeUInt16BE(bytes, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(bytes), 2)
  }
  frame.write(text, headBytes)
  return frame
}
