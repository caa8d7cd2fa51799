type Row = Readonly<Record<string, unknown>>

/** A user message, written or not. */
export interface ReceivedMessage {
  readonly organization_id: number
  readonly user_id: number
  readonly message_id: number
  readonly flags: number
  readonly isWritten: boolean
}

/** What users have received, by the rows of all tables. */
export function receivedMessages(tables: ReadonlyMap<string, readonly Row[]>): ReceivedMessage[] {
  const rowsOf = (name: string): readonly Row[] => tables.get(`chat_${name}`) ?? []
  const received = new Map<string, ReceivedMessage>()
  const note = (row: Row, messageId: unknown, flags: number, isWritten: boolean): void => {
    const [user_id, message_id] = [Number(row['user_id']), Number(messageId)]
    const key = `${user_id} ${message_id}`
    if (received.has(key)) return
    const organization_id = Number(row['organization_id'])
    received.set(key, { organization_id, user_id, message_id, flags, isWritten })
  }
  for (const row of rowsOf('user_messages')) {
    note(row, row['message_id'], Number(row['flags']), true)
  }
  const open = rowsOf('subscriptions')
    .filter((row) => row['unwritten_after_message_id'] !== null)
    .map((row) => ({
      ...row,
      after_message_id: row['unwritten_after_message_id'],
      until_message_id: Infinity,
      flags: 0,
    }))
  const intervals = [...open, ...rowsOf('unwritten_intervals')] as readonly Row[]
  const messages = rowsOf('messages')
  const contains = (interval: Row, channelId: unknown, id: number): boolean =>
    interval['channel_id'] === channelId &&
    id > Number(interval['after_message_id']) &&
    id <= Number(interval['until_message_id'])
  for (const interval of intervals) {
    for (const message of messages) {
      const id = Number(message['id'])
      if (message['changed_channel_at_seconds'] !== null) continue
      if (!contains(interval, message['channel_id'], id)) continue
      note(interval, id, Number(interval['flags']) | Number(message['shared_flags']), false)
    }
  }
  const byId = new Map(messages.map((message) => [Number(message['id']), message]))
  for (const moved of rowsOf('moved_messages')) {
    const id = Number(moved['message_id'])
    const sharedFlags = Number(byId.get(id)?.['shared_flags'])
    for (const interval of intervals) {
      if (!contains(interval, moved['channel_id'], Number(moved['moved_after_message_id'])))
        continue
      const wasReceived = intervals.some(
        (other) =>
          other['user_id'] === interval['user_id'] && contains(other, moved['sent_channel_id'], id),
      )
      if (wasReceived) note(interval, id, Number(interval['flags']) | sharedFlags, false)
    }
  }
  return [...received.values()]
}
