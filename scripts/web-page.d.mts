/** Bundles the page from its sources. @returns the text of a `PageFiles`. */
export function bundlePage(root: string): Promise<string>
/** The files of the elements for pages without a bundler: `parley.min.js`, and what it imports. */
export function bundleElements(
  root: string,
): Promise<{ readonly files: Readonly<Record<string, string>> }>
/** Bundles the page for `@parley/web/page` as it is used from its sources. */
export function writePage(root: string): Promise<void>
