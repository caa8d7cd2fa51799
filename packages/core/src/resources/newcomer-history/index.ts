export { NewcomerHistory } from './newcomer-history.js'
