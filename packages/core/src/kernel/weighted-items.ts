/** An item of a header such as `Accept`, in lowercase, with its weight between 0 and 1. */
export interface WeightedItem {
  readonly name: string
  readonly weight: number
}

/** The most items that are read of a header. */
const maxItems = 20

/** The first items of a header, in its order (RFC 9110, 12.4.2). Invalid weights count as 0. */
export function weightedItems(header: string): WeightedItem[] {
  return header.split(',', maxItems).map((item) => {
    const [name = '', ...parameters] = item.split(';', 4).map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const value = weight === undefined ? 1 : Number(weight.slice(2))
    return { name, weight: value >= 0 && value <= 1 ? value : 0 }
  })
}
