import { css } from 'lit'

/** Colors and sizes. Each can be set by the page: --parley-accent, for example. */
export const theme = css`
  :host {
    color-scheme: light dark;
    --accent: var(--parley-accent, light-dark(#3355c4, #8fa8ff));
    --accent-text: var(--parley-accent-text, light-dark(#ffffff, #10131c));
    --background: var(--parley-background, light-dark(#ffffff, #17191d));
    --side-background: var(--parley-side-background, light-dark(#f5f6f8, #1e2126));
    --hover: var(--parley-hover, light-dark(#eceef3, #2a2e36));
    --selected: var(--parley-selected, light-dark(#dfe5f8, #2f3a5c));
    --text: var(--parley-text, light-dark(#1c1e24, #e4e6ec));
    --text-quiet: var(--parley-text-quiet, light-dark(#5a6070, #a2a8b8));
    --line: var(--parley-line, light-dark(#dfe2e9, #343841));
    --control-line: var(--parley-control-line, light-dark(#868c9b, #767d8d));
    --field-background: var(--parley-field-background, light-dark(#ffffff, #1e2126));
    --link: var(--parley-link, light-dark(#2a4db8, #9db2ff));
    --mention-background: var(--parley-mention-background, light-dark(#eaf0ff, #27304e));
    --own-mention-background: var(--parley-own-mention-background, light-dark(#fdf0c8, #4b3f14));
    --code-background: var(--parley-code-background, light-dark(#f3f4f7, #22252b));
    --count-background: var(--parley-count-background, light-dark(#c2293f, #ff8a98));
    --count-text: var(--parley-count-color, light-dark(#ffffff, #2a0a10));
    --unread-line: var(--parley-unread-line, light-dark(#c2293f, #ff8a98));
    --danger: var(--parley-danger, light-dark(#b3202f, #ff8f9c));
    --active: var(--parley-active, light-dark(#1f8a4c, #4cc57f));
    --idle: var(--parley-idle, light-dark(#b06a00, #e0a345));
    --font: var(--parley-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
    --font-code: var(--parley-font-code, ui-monospace, 'SF Mono', Menlo, Consolas, monospace);
    --font-size: var(--parley-font-size, 0.9375rem);
    --radius: var(--parley-radius, 6px);
    --side-width: var(--parley-side-width, 260px);
    --row-gap: var(--parley-row-gap, 10px);

    display: block;
    height: var(--parley-height, 100%);
    min-height: 0;
    overflow: hidden;
    background: var(--background);
    color: var(--text);
    font: var(--font-size) / 1.45 var(--font);
    text-align: start;
    -webkit-text-size-adjust: 100%;
  }
  :host([theme='light']) {
    color-scheme: light;
  }
  :host([theme='dark']) {
    color-scheme: dark;
  }
  :host([density='compact']) {
    --row-gap: var(--parley-row-gap, 2px);
    line-height: 1.3;
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  @media (prefers-reduced-motion: no-preference) {
    a,
    button {
      transition:
        background-color 80ms,
        border-color 80ms;
    }
  }
`
