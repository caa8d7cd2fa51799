interface TrustedHtmlPolicy {
  createHTML(text: string): string
}

interface PolicyFactory {
  createPolicy(name: string, rules: TrustedHtmlPolicy): TrustedHtmlPolicy
}

let policy: TrustedHtmlPolicy | undefined

/** Where attributes named `style` are after parsing. */
export const styleAttribute = 'data-parley-style'

/**
 * Parses HTML without loading or running anything of it. Attributes named `style`, which strict
 * policies block and report already then, get another name.
 */
export function parseHtml(text: string): DocumentFragment {
  policy ??= createPolicy()
  const template = document.createElement('template')
  template.innerHTML = policy.createHTML(withoutStyles(text))
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

/** Pages may demand a policy by this name (`trusted-types parley lit-html`). */
function createPolicy(): TrustedHtmlPolicy {
  const rules = { createHTML: (text: string) => text }
  // The types of TypeScript do not have it, and not every browser has it.
  const { trustedTypes } = window as unknown as { readonly trustedTypes?: PolicyFactory }
  return trustedTypes?.createPolicy('parley', rules) ?? rules
}
