import type { ContentKind } from '../../domain/messages/content-kinds.js'
import type { Operation } from '../operation.js'
import { asParameterSchema, type ParameterSchema } from '../parameters/parameter-schema.js'

/** Returns the text that replaces a text that others will read, or the same text. */
export type TextReplacement = (kind: ContentKind, text: string) => Promise<string>

/** The schemas of the parameters that contain texts that others will read, by name. */
export type ContentParameters = ReadonlyMap<string, ParameterSchema>

/** The parameters of an operation in which a part of the schema declares its `contentKind`. */
export function contentParametersOf({ params }: Operation): ContentParameters {
  const schemas = Object.entries(params).map(
    ([name, schema]) => [name, asParameterSchema(schema)] as const,
  )
  return new Map(schemas.filter(([, schema]) => mentionsContent(schema)))
}

/**
 * Replaces the texts of parameters that others will read.
 *
 * @returns the changed parameters alone.
 */
export async function replaceTexts(
  parameters: ContentParameters,
  params: Readonly<Record<string, unknown>>,
  replace: TextReplacement,
): Promise<Record<string, unknown>> {
  const changes: Record<string, unknown> = {}
  for (const [name, schema] of parameters) {
    const value = params[name]
    const replaced = await replacedIn([schema], value, replace)
    if (replaced !== value) changes[name] = replaced
  }
  return changes
}

/** @returns the same value if nothing in it is replaced. */
async function replacedIn(
  schemas: readonly ParameterSchema[],
  value: unknown,
  replace: TextReplacement,
): Promise<unknown> {
  const all = schemas.flatMap(alternativesOf).filter(mentionsContent)
  if (all.length === 0) return value
  if (typeof value === 'string') {
    const kind = all.find(({ contentKind }) => contentKind !== undefined)?.contentKind
    return kind === undefined || value === '' ? value : replace(kind, value)
  }
  if (Array.isArray(value)) {
    const items = await inOrder(value, (item) => replacedIn(all.flatMap(itemsOf), item, replace))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const replaced = await inOrder(entries, async ([name, member]) => {
    const schemasOfMember = all.flatMap((schema) => memberOf(schema, name))
    return [name, await replacedIn(schemasOfMember, member, replace)] as const
  })
  const isSame = replaced.every(([, member], index) => member === entries[index]?.[1])
  return isSame ? value : Object.fromEntries(replaced)
}

function alternativesOf(schema: ParameterSchema): readonly ParameterSchema[] {
  const { anyOf = [], allOf = [] } = schema
  return [schema, ...[...anyOf, ...allOf].flatMap(alternativesOf)]
}

function itemsOf({ items, contentKind }: ParameterSchema): readonly ParameterSchema[] {
  return [...partsOf(items), ...inherited(contentKind)]
}

function memberOf(schema: ParameterSchema, name: string): readonly ParameterSchema[] {
  const { properties, contentKind } = schema
  const found: unknown = Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined
  return [...partsOf(found), ...inherited(contentKind)]
}

/** Every text in a list or an object of a kind has that kind. */
function inherited(contentKind: ContentKind | undefined): readonly ParameterSchema[] {
  return contentKind === undefined ? [] : [{ contentKind }]
}

function partsOf(schema: unknown): readonly ParameterSchema[] {
  return typeof schema === 'object' && schema !== null ? [schema] : []
}

function mentionsContent(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if ('contentKind' in schema) return true
  return Object.values(schema).some(mentionsContent)
}

/** One after the other, so that hooks see the texts in their order. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  convert: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await convert(item))
  return results
}
