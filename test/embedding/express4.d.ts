/** Express 4, under a second name; its types are near enough to those of Express 5. */
declare module 'express4' {
  export { default } from 'express'
}
