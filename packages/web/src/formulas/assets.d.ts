/** Files that the build includes: a font in Base64, and a style sheet without its fonts. */
declare module '*.woff2' {
  const font: string
  export default font
}
declare module '*.css' {
  const css: string
  export default css
}
