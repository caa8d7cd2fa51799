/** The body of a response of `GET /events`, and the frame of a WebSocket: the same JSON. */
export function eventFrame(queueId: string, events: readonly string[]): string {
  return `{"result":"success","msg":"","events":[${events.join(',')}],"queue_id":${JSON.stringify(queueId)}}`
}
