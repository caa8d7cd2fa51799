// The page loads `parley.min.js` with a script element of its own: nothing is bundled here.
const unread = document.querySelector('[role=status]')
const list = document.querySelector('ul')
const notes = document.querySelector('ol')
const chat = document.querySelector('parley-chat')
const orderTea = document.querySelector('#order')
const again = document.querySelector('[slot=header]')

let orders = []
let shown

async function load() {
  const response = await fetch('/orders')
  if (response.status === 401) location.assign(`/login?next=${location.pathname}`)
  orders = (await response.json()).orders
  show(orders[0])
}

function show(order) {
  shown = order
  list.replaceChildren(
    ...orders.map((each) => {
      const button = document.createElement('button')
      button.textContent = `Order ${each.id}: ${each.quantity} × ${each.item}`
      button.ariaCurrent = String(each === shown)
      button.addEventListener('click', () => show(each))
      const item = document.createElement('li')
      item.append(button)
      return item
    }),
  )
  chat.hidden = order === undefined
  if (order !== undefined) chat.setAttribute('channel', order.channel_id)
}

async function place(item, quantity) {
  await fetch('/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ item, quantity }),
  })
  await load()
}

chat.messageActions = [{ name: 'note', label: 'Note on the order' }]
chat.addEventListener('parley-unread', ({ detail }) => {
  unread.textContent = `Unread: ${detail}`
})
chat.addEventListener('parley-action', ({ detail: { message } }) => {
  const note = document.createElement('li')
  note.textContent = `${message.sender_full_name} wrote message ${message.id}`
  notes.append(note)
})
chat.addEventListener('parley-signed-out', () => {
  const link = document.createElement('a')
  link.href = '/login'
  link.textContent = 'Log in'
  unread.replaceChildren(link)
})
orderTea.addEventListener('click', () => void place('tea', 1))
orderTea.disabled = false
again.addEventListener('click', () => void place(shown.item, shown.quantity))
await load()
