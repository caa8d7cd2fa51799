const inFilters = /[\0()*\\]/g
const inNames = /^[ #]|[\0"+,;<=>\\]| $/g

/** Escapes a text for literal use in a search filter (RFC 4515, section 3). */
export function escapeFilterValue(text: string): string {
  return text.replaceAll(inFilters, hexEscape)
}

/** Escapes a text for literal use as a value in a distinguished name (RFC 4514, 2.4). */
export function escapeNameValue(text: string): string {
  return text.replaceAll(inNames, hexEscape)
}

function hexEscape(character: string): string {
  return `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}
