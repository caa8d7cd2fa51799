import type { Account } from './accounts.js'
import { escapeHtml } from './login-page.js'
import type { Order } from './orders.js'

/** The shop: the account's orders, and beside them the chat about one of them. */
export function shopPage(
  { full_name }: Account,
  orders: readonly Order[],
  shown: Order | undefined,
): string {
  const rows = orders.map(
    ({ id, item, quantity }) =>
      `<li><a href="/?order=${id}">Order ${id}: ${quantity} × ${escapeHtml(item)}</a></li>`,
  )
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The Shop</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
<script type="module" src="/parley/parley.min.js"></script>
<h1>The Shop</h1>
<p>Hello, ${escapeHtml(full_name)}. <parley-unread-badge url="/chat"></parley-unread-badge></p>
<form method="post" action="/orders">
  <label>Order <input name="item" value="tea" required></label>
  <button name="page" value="yes">Order</button>
</form>
<ul>${rows.join('')}</ul>
${
  shown === undefined
    ? ''
    : `<h2>Questions about order ${shown.id}?</h2>
<parley-chat url="/chat" channel="${shown.channel_id}" topic="order"></parley-chat>`
}
</html>
`
}

export const shopStyle = `body {
  max-width: 48rem;
  margin: 2rem auto;
  padding: 0 1rem;
  font-family: Georgia, serif;
}
parley-chat {
  height: 24rem;
  border: 1px solid #b9a88a;
  border-radius: 8px;
  --parley-accent: #7a4b10;
  --parley-font: Georgia, serif;
}
`
