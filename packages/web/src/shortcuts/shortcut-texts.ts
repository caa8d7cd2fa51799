/** The texts of the shortcuts. */
export const shortcutTexts = {
  shortcuts: 'Keyboard shortcuts',
  single: 'Use single keys as shortcuts',
  where: 'While a message or the list of conversations has the focus:',
  keys: {
    r: 'Reply',
    c: 'Write a message',
    n: 'Next unread conversation',
    p: 'Previous unread conversation',
    s: 'Star a message, or remove its star',
    '/': 'Search',
    '?': 'Show the shortcuts',
  },
  always: 'Always:',
  otherKeys: [
    ['Ctrl + /', 'Show the shortcuts'],
    ['↑ ↓', 'Previous and next message or conversation'],
    ['Home, End', 'The first and the last one'],
    ['Ctrl + Home, End', 'Leave the messages: to the header, to the text field'],
    ['Page Up, Page Down', 'Ten messages up or down'],
    ['Enter, F10', 'Actions for the message; open the conversation'],
    ['← →', 'Between the actions of a message'],
    ['Escape', 'Back from the actions, an editor or a dialog'],
  ],
} as const
