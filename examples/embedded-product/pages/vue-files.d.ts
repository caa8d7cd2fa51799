/** Components in files of their own, which the bundler compiles. */
declare module '*.vue' {
  import type { Component } from 'vue'

  const component: Component
  export default component
}
