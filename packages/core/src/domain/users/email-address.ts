import { domainToASCII, domainToUnicode } from 'node:url'
import { limits } from '../../domain/limits.js'

/** The longest address and local part, in bytes of UTF-8 (RFC 5321, erratum 1690; RFC 6531). */
const maxLocalPartBytes = 64
/** The longest label of a domain, in its ASCII form (RFC 1035). */
const maxLabelLength = 63

/** Words of ASCII's `atext` and of other visible characters, separated by dots. */
const localPart =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10FFFF}-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10FFFF}-]+)*$/u

/**
 * Characters that make an address look like another one: characters that are not shown or that
 * change the direction of the text (\p{C}, which includes unassigned and private-use ones, default
 * ignorable ones and the blank Braille pattern), white space, and combining marks without a base
 * character.
 */
const deceptive = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]|(?:^|[.@])\p{M}/u

const asciiLabel = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i
const unicodeLabel = /^[\p{L}\p{Nd}]([\p{L}\p{M}\p{Nd}-]*[\p{L}\p{M}\p{Nd}])?$/u

/** Punctuation that IDNA 2008 allows between certain letters (RFC 5892, appendix A). */
const contextual =
  /(?<=l)\u00B7(?=l)|\u0375(?=\p{Script=Greek})|(?<=\p{Script=Hebrew})[\u05F3\u05F4]|\u30FB/gu

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Mende_Kikakui}]/u

/**
 * Whether a text has the form of an e-mail address that can receive mail and that does not look
 * like another one: no invisible characters and none that change the direction of the text, a local
 * part without compatibility forms (RFC 6531; RFC 8264), and a domain that IDNA 2008 and UTS 46
 * allow, in its registered form.
 */
export function isEmailAddress(text: string): boolean {
  // The number of UTF-16 units never exceeds the number of bytes, and needs no computation.
  if (text.length > limits.maxEmailLength || Buffer.byteLength(text) > limits.maxEmailLength)
    return false
  if (deceptive.test(text)) return false
  const at = text.lastIndexOf('@')
  return at >= 1 && isLocalPart(text.slice(0, at)) && isDomain(text.slice(at + 1))
}

function isLocalPart(text: string): boolean {
  if (Buffer.byteLength(text) > maxLocalPartBytes || !localPart.test(text)) return false
  return text.normalize('NFKC') === text.normalize('NFC')
}

function isDomain(domain: string): boolean {
  if (domain.toLowerCase() === 'localhost') return true
  const labels = domain.split('.')
  if (labels.length < 2) return false
  if (labels.every((label) => asciiLabel.test(label) && !/^xn--/i.test(label))) {
    return labels.every(({ length }) => length <= maxLabelLength)
  }
  return isInternationalDomain(domain)
}

/** Whether a domain has labels beyond ASCII, as they are or in their encoded form (`xn--…`). */
function isInternationalDomain(domain: string): boolean {
  const ascii = domainToASCII(domain)
  if (ascii === '' || ascii.split('.').some(({ length }) => length > maxLabelLength)) return false
  const shown = domainToUnicode(ascii)
  const written = domain.toLowerCase().normalize('NFC')
  // UTS 46 maps many characters to others; the registered name is the result.
  if (written !== ascii && written !== shown) return false
  const labels = shown.split('.')
  return (
    !deceptive.test(shown) &&
    labels.every((label) => unicodeLabel.test(label.replaceAll(contextual, 'l'))) &&
    labels.every(hasOneDirection)
  )
}

/** The Bidi rule of RFC 5893, for the scripts that are in use. */
function hasOneDirection(label: string): boolean {
  if (!rightToLeft.test(label)) return true
  return [...label].every(
    (character, index) =>
      rightToLeft.test(character) || (index > 0 && /[\p{Nd}\p{M}-]/u.test(character)),
  )
}
