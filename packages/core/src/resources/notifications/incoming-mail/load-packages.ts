/** The optional packages, loaded on first use: other servers do not need them. */
export const loadMailParser = async () => import('mailparser')
export const loadHtmlParser = async () => import('htmlparser2')

/** @throws {Error} if a package is not installed, before mails are lost by it. */
export async function requirePackages(): Promise<void> {
  try {
    await Promise.all([loadMailParser(), loadHtmlParser()])
  } catch (cause) {
    throw new Error('incomingMail needs the packages mailparser and htmlparser2', { cause })
  }
}
