import { controls } from './controls.js'
import { layout } from './layout.js'
import { messageContent } from './message-content.js'
import { messages } from './messages.js'
import { theme } from './theme.js'
import { writing } from './writing.js'

/** The style sheets of the elements; they are shared by all of a page. */
export const styles = [theme, layout, controls, messages, messageContent, writing]
