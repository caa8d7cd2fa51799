import type { ChosenMessageAction, MessageAction } from '@parley/web'

/** An order as the shop's own API gives it. */
export interface Order {
  readonly id: number
  readonly item: string
  readonly quantity: number
  readonly channel_id: number
}

/** What the shop adds to the actions of each message in the chat. */
export const messageActions: readonly MessageAction[] = [
  { name: 'note', label: 'Note on the order' },
]

/** @returns the orders of the session's account, the newest first. */
export async function listOrders(): Promise<readonly Order[]> {
  const response = await fetch('/orders')
  // The session has ended.
  if (response.status === 401) location.assign(`/login?next=${location.pathname}`)
  if (!response.ok) throw new Error(`The shop answered ${response.status}.`)
  const { orders } = (await response.json()) as { orders: Order[] }
  return orders
}

export async function placeOrder(item: string, quantity: number): Promise<void> {
  const response = await fetch('/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ item, quantity }),
  })
  if (!response.ok) throw new Error(`The shop answered ${response.status}.`)
}

/** A note about an order, from a message in the chat. */
export function noteOf({ message }: ChosenMessageAction): string {
  return `${message.sender_full_name} wrote message ${message.id}`
}
