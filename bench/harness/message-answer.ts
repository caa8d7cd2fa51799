/** What the chat answers to a poll, or sends to a socket, for one message of a channel. */
export function messageAnswer(content: string): string {
  return JSON.stringify({
    result: 'success',
    msg: '',
    events: [
      {
        type: 'message',
        message: {
          id: 123,
          sender_id: 1,
          sender_email: 'user1@bench.example',
          sender_full_name: 'User 1',
          sender_realm_str: '',
          client: 'Internal',
          timestamp: 1_700_000_000,
          is_me_message: false,
          topic_links: [],
          reactions: [],
          submessages: [],
          type: 'stream',
          stream_id: 1,
          recipient_id: 1,
          display_recipient: 'channel 1',
          subject: 'greetings',
          avatar_url: null,
          content: `<p>${content}</p>`,
          content_type: 'text/html',
        },
        flags: [],
        id: 125_952,
      },
    ],
    queue_id: 'AbCdEfGh-AbCdEfGhIjKlMnOpQrStUvWx',
  })
}
