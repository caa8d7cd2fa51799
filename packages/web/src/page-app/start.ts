import { define } from '../view/view.js'
import { ChatPageElement } from './chat-page.js'

define('parley-page', ChatPageElement)
