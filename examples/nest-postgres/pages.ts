import type { Account, Order } from './database.js'
import type { OrderWithNews } from './orders.js'

/** Lets only the shop's own files run and load. */
export const policy = "default-src 'self'; img-src 'self' data:"

export const style = 'parley-chat { height: 24rem }'

export const loginPage = page(
  'Log in',
  `<form method="post" action="/login">
  <label>Address <input name="email" type="email" autocomplete="username"></label>
  <label>Password <input name="password" type="password" autocomplete="current-password"></label>
  <button>Log in</button>
</form>`,
)

export function ordersPage(account: Account, orders: readonly OrderWithNews[]): string {
  const rows = orders.map(({ id, item, unread }) => {
    const badge = unread === 0 ? '' : ` <strong>${unread} new</strong>`
    return `<li><a href="/orders/${id}">Order ${id}: ${escapeHtml(item)}</a>${badge}</li>`
  })
  return page(
    'Orders',
    `<p>Hello, ${escapeHtml(account.fullName)}.</p>
<form method="post" action="/logout"><button>Log out</button></form>
<form method="post" action="/orders">
  <label>Order <input name="item" value="tea" maxlength="50" required></label>
  <button>Order</button>
</form>
<ul>${rows.join('')}</ul>`,
  )
}

/** An order with the chat about it. */
export function orderPage({ id, item, channelId }: Order): string {
  return page(
    `Order ${id}`,
    `<script type="module" src="/parley/parley.min.js"></script>
<p><a href="/">All orders</a> · ${escapeHtml(item)}</p>
<parley-chat url="/chat" channel="${channelId}" topic="order"></parley-chat>`,
  )
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
<h1>${title}</h1>
${body}
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
