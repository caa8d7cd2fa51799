interface TrustedHtmlPolicy {
  createHTML(text: string): string
}

interface PolicyFactory {
  createPolicy(name: string, rules: TrustedHtmlPolicy): TrustedHtmlPolicy
}

/** Of all copies of this package in a page: a policy of strict pages is created once. */
const policyKey = Symbol.for('parley-html-policy')

/** Where attributes named `style` are after parsing. */
export const styleAttribute = 'data-parley-style'

/**
 * Parses HTML without loading or running anything of it. Attributes named `style`, which strict
 * policies block and report already then, get another name.
 */
export function parseHtml(text: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = policy().createHTML(withoutStyles(text))
  return template.content
}

const tag = /<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi
const quotedOrStyle = /"[^"]*"|'[^']*'|\sstyle(?==)/gi

function withoutStyles(html: string): string {
  if (!html.includes(' style=')) return html
  return html.replaceAll(tag, (text) =>
    text.replaceAll(quotedOrStyle, (part) => (/^\s/.test(part) ? ` ${styleAttribute}` : part)),
  )
}

interface PolicyWindow {
  /** Not every browser has it. */
  readonly trustedTypes?: PolicyFactory
  [policyKey]?: TrustedHtmlPolicy
}

/** Pages may demand a policy by this name (`trusted-types parley lit-html`). */
function policy(): TrustedHtmlPolicy {
  // The types of TypeScript have neither.
  const shared = window as unknown as PolicyWindow
  const rules = { createHTML: (text: string) => text }
  shared[policyKey] ??= shared.trustedTypes?.createPolicy('parley', rules) ?? rules
  return shared[policyKey]
}
