export { german } from '../texts/german/index.js'
