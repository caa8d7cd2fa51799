import { css } from 'lit'

/** The HTML that the server makes of Markdown. */
export const messageContent = css`
  .content {
    overflow-wrap: anywhere;
  }
  .widget {
    display: block;
    max-width: 480px;
    padding-block-end: 4px;
  }
  .widget.widget ul {
    margin: 4px 0;
    padding: 0;
    list-style: none;
  }
  .widget li {
    display: flex;
    gap: 8px;
    align-items: baseline;
    padding-block: 2px;
  }
  .widget .reaction {
    justify-content: center;
    min-width: 34px;
  }
  .done {
    text-decoration: line-through;
  }
  .widget input {
    flex: 1;
    min-width: 0;
  }
  .content p {
    margin: 0;
  }
  .content p + p,
  .content > * + p {
    margin-top: 0.5em;
  }
  .content :is(ul, ol) {
    margin: 2px 0;
    padding-inline-start: 1.6em;
  }
  .content :is(h1, h2, h3, h4, h5, h6) {
    margin: 0.5em 0 0.2em;
    font: 600 1.1em/1.3 var(--font);
  }
  .content h1 {
    font-size: 1.25em;
  }
  .content a {
    color: var(--link);
  }
  .content blockquote {
    margin: 4px 0;
    padding-inline-start: 12px;
    border-inline-start: 3px solid var(--control-line);
    color: var(--text-quiet);
  }
  .content code {
    padding: 1px 4px;
    border-radius: 4px;
    background: var(--code-background);
    font: 0.9em/1.4 var(--font-code);
  }
  .content pre {
    margin: 4px 0;
    padding: 8px 12px;
    overflow-x: auto;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--code-background);
    font: 0.87em/1.45 var(--font-code);
    overflow-wrap: normal;
  }
  .content pre code {
    padding: 0;
    background: none;
    font: inherit;
  }
  .content table {
    display: block;
    width: fit-content;
    max-width: 100%;
    margin: 4px 0;
    overflow-x: auto;
    overflow-wrap: normal;
    border-collapse: collapse;
  }
  .content :is(th, td) {
    padding: 4px 10px;
    border: 1px solid var(--line);
  }
  .content hr {
    border: 0;
    border-top: 1px solid var(--line);
  }
  .content .user-mention,
  .content .user-group-mention,
  .content .topic-mention {
    padding: 0 3px;
    border-radius: 4px;
    background: var(--mention-background);
    color: var(--link);
  }
  .content .own-mention:not(.silent) {
    background: var(--own-mention-background);
    color: var(--text);
    font-weight: 600;
  }
  .content .emoji {
    font-size: 1.25em;
    line-height: 1;
    vertical-align: -0.1em;
  }
  .content img.emoji {
    width: 1.2em;
    height: 1.2em;
  }
  .content .highlight {
    background: var(--own-mention-background);
    color: var(--text);
  }
  .content .message_inline_image img,
  .content video {
    display: block;
    max-width: min(100%, 420px);
    height: auto;
    max-height: 300px;
    margin: 4px 0;
    border-radius: var(--radius);
    background: var(--hover);
    object-fit: contain;
  }
  .content video {
    width: 420px;
    aspect-ratio: 16 / 9;
  }
  .content audio {
    display: block;
    max-width: 100%;
  }
  .content time {
    padding: 0 4px;
    border-radius: 4px;
    background: var(--code-background);
    font-size: inherit;
  }
  .content .spoiler-block {
    margin: 4px 0;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .content .spoiler-header {
    min-height: 1.6em;
    padding: 4px 10px;
    cursor: pointer;
    font-weight: 600;
  }
  .content .spoiler-header p {
    display: inline;
  }
  .content .spoiler-header::before {
    content: '▸ ';
  }
  .content .spoiler-header[aria-expanded='true']::before {
    content: '▾ ';
  }
  .content .spoiler-content {
    padding: 0 10px 8px;
  }
  .content .spoiler-content:not(.open) {
    display: none;
  }
  .content .katex-display {
    overflow-x: auto;
  }
  .content .katex-html {
    display: none;
  }
  .content .codehilite :is(.k, .kd, .kn, .kr, .kc, .kt, .o, .ow) {
    color: light-dark(#8a2fa8, #d79bff);
  }
  .content .codehilite :is(.s, .s1, .s2, .sb, .sx, .se) {
    color: light-dark(#1c6b34, #8fd6a0);
  }
  .content .codehilite :is(.c, .c1, .cm, .cp, .ch) {
    color: var(--text-quiet);
  }
  .content .codehilite :is(.m, .mi, .mf, .mh) {
    color: light-dark(#a04400, #ffb37a);
  }
  .content .codehilite :is(.nf, .nc, .nt, .nx, .na) {
    color: light-dark(#1f55a5, #8cc0ff);
  }
`
