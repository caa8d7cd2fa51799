import '@parley/web'
import type { ChosenMessageAction, ParleyChat } from '@parley/web'
import { useEffect, useState, type DetailedHTMLProps, type HTMLAttributes } from 'react'
import { createRoot } from 'react-dom/client'

import { listOrders, messageActions, noteOf, placeOrder, type Order } from './shop.js'

export type ChatElementProps = DetailedHTMLProps<HTMLAttributes<ParleyChat>, ParleyChat>

// React 19 sets properties of elements, and listens to their events by `on` and the name.
declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'parley-chat': ChatElementProps &
        Partial<Pick<ParleyChat, 'url' | 'channel' | 'topic' | 'messageActions'>> & {
          'onparley-unread'?: (event: CustomEvent<number>) => void
          'onparley-action'?: (event: CustomEvent<ChosenMessageAction>) => void
          'onparley-signed-out'?: () => void
        }
    }
  }
}

function Shop() {
  const [orders, setOrders] = useState<readonly Order[]>([])
  const [chosenId, setChosenId] = useState<number>()
  const [unread, setUnread] = useState(0)
  const [notes, setNotes] = useState<readonly string[]>([])
  const [isSignedOut, setSignedOut] = useState(false)
  const shown = orders.find(({ id }) => id === chosenId) ?? orders[0]

  const load = async () => setOrders(await listOrders())
  const order = async (item: string, quantity: number) => {
    await placeOrder(item, quantity)
    setChosenId(undefined)
    await load()
  }
  useEffect(() => void load(), [])

  return (
    <>
      <h1>The Shop</h1>
      <p role="status">{isSignedOut ? <a href="/login">Log in</a> : `Unread: ${unread}`}</p>
      <button onClick={() => void order('tea', 1)}>Order tea</button>
      <ul>
        {orders.map(({ id, item, quantity }) => (
          <li key={id}>
            <button aria-current={id === shown?.id} onClick={() => setChosenId(id)}>
              Order {id}: {quantity} × {item}
            </button>
          </li>
        ))}
      </ul>
      {shown && (
        <parley-chat
          url="/chat"
          channel={String(shown.channel_id)}
          topic="order"
          messageActions={messageActions}
          onparley-unread={({ detail }) => setUnread(detail)}
          onparley-action={({ detail }) => setNotes((list) => [...list, noteOf(detail)])}
          onparley-signed-out={() => setSignedOut(true)}
        >
          <button slot="header" onClick={() => void order(shown.item, shown.quantity)}>
            Order again
          </button>
        </parley-chat>
      )}
      <ol>
        {notes.map((note, index) => (
          <li key={index}>{note}</li>
        ))}
      </ol>
    </>
  )
}

const root = document.querySelector('#shop')
if (root !== null) createRoot(root).render(<Shop />)
