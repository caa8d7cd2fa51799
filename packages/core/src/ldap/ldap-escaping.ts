const inFilters = /[\0()*\\]/g
const inNames = /^[ #]|[\0"+,;<=>\\]| $/g

/** Writes a text so that it stands for itself inside a search filter (RFC 4515, section 3). */
export function escapeFilterValue(text: string): string {
  return text.replaceAll(inFilters, hexEscape)
}

/** Writes a text so that it stands for itself as a value in a distinguished name (RFC 4514, 2.4). */
export function escapeNameValue(text: string): string {
  return text.replaceAll(inNames, hexEscape)
}

function hexEscape(character: string): string {
  return `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}
