/** See `work-copy.mjs`. */
export function copyWorkTree(root: string, target: string): void
