/** A font of KaTeX: its family, the file in Base64, and its weight and style. */
export type FormulaFont = readonly [
  family: string,
  base64: string,
  descriptors?: { readonly weight?: '700'; readonly style?: 'italic' },
]
