import { css } from 'lit'

/** The list of messages. */
export const messages = css`
  parley-conversation {
    display: flex;
    position: relative;
    flex: 1;
    flex-direction: column;
    min-height: 0;
  }
  .scroller {
    flex: 1;
    min-height: 0;
    overflow: hidden auto;
    overflow-anchor: none;
    overscroll-behavior: contain;
    scrollbar-width: thin;
    scroll-padding: 40px 0 8px;
  }
  .column {
    display: flex;
    flex-direction: column;
    justify-content: end;
    min-height: 100%;
    padding-block: 8px;
  }
  .column:not(:has(.row)) {
    justify-content: center;
  }
  .message {
    display: block;
  }
  .note {
    padding: 24px 16px;
    color: var(--text-quiet);
    text-align: center;
  }
  .row {
    display: flex;
    position: relative;
    gap: 12px;
    padding: 1px 16px 1px;
  }
  .row.first {
    padding-top: 4px;
    margin-top: var(--row-gap);
  }
  .row.active {
    background: var(--hover);
  }
  .row.marked {
    background: var(--own-mention-background);
  }
  .margin {
    flex: none;
    width: 36px;
  }
  .margin time {
    display: flex;
    justify-content: end;
    color: var(--text-quiet);
    font-size: 0.68em;
    line-height: 2.1;
    white-space: nowrap;
    visibility: hidden;
  }
  .row time {
    unicode-bidi: plaintext;
  }
  .row.active .margin time {
    visibility: visible;
  }
  .avatar {
    display: block;
    width: 36px;
    height: 36px;
    margin-top: 2px;
    border-radius: var(--parley-avatar-radius, 8px);
    background: var(--hover);
    object-fit: cover;
  }
  .body {
    flex: 1;
    min-width: 0;
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    column-gap: 8px;
    align-items: baseline;
  }
  .me .body {
    display: flex;
    flex-wrap: wrap;
    column-gap: 6px;
    align-items: baseline;
  }
  .me .head {
    display: contents;
  }
  .me .body > * {
    max-width: 100%;
  }
  .me :is(time, .mark) {
    order: 1;
  }
  .me :is(parley-edit, .reactions, .failure) {
    flex-basis: 100%;
    order: 2;
  }
  .sender {
    font-weight: 600;
  }
  button.sender {
    min-height: 24px;
    padding: 0;
    border: 0;
    background: none;
    text-align: start;
    user-select: text;
  }
  button.sender:hover {
    text-decoration: underline;
  }
  .row .avatar {
    cursor: pointer;
  }
  .head time,
  .mark {
    color: var(--text-quiet);
    font-size: 0.8em;
  }
  button.mark {
    padding: 0 2px;
    border: 0;
    background: none;
    text-decoration: underline dotted;
  }
  .day {
    display: flex;
    gap: 12px;
    align-items: center;
    margin: 16px 16px 4px;
    color: var(--text-quiet);
    font: 600 0.8em/1.3 var(--font);
  }
  .day::before,
  .day::after {
    flex: 1;
    border-top: 1px solid var(--line);
    content: '';
  }
  .unread-line {
    display: flex;
    gap: 12px;
    align-items: center;
    margin: 8px 16px 0;
    color: var(--unread-line);
    font: 600 0.8em/1.3 var(--font);
  }
  .unread-line::before {
    flex: 1;
    border-top: 1px solid;
    content: '';
  }
  .place-bar {
    margin: 14px 16px 0;
    font-weight: 600;
    font-size: 0.92em;
  }
  .place-bar a {
    display: block;
    padding: 4px 10px;
    border-radius: var(--radius);
    background: var(--side-background);
    color: var(--text);
    text-decoration: none;
  }
  .place-bar a:hover {
    background: var(--hover);
  }
  .place-bar + .row.first {
    margin-top: 4px;
  }
  .reactions {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    margin: 4px 0;
  }
  .reaction {
    display: inline-flex;
    gap: 5px;
    align-items: center;
    min-width: 24px;
    min-height: 26px;
    padding: 1px 8px;
    border: 1px solid var(--line);
    border-radius: 13px;
    background: var(--side-background);
    font-size: 0.85em;
  }
  .reaction:hover {
    border-color: var(--control-line);
  }
  .reaction[aria-pressed='true'] {
    border-color: var(--accent);
    background: var(--selected);
    font-weight: 600;
  }
  .glyph {
    font-style: normal;
  }
  parley-toolbar {
    display: contents;
  }
  .toolbar {
    display: flex;
    position: absolute;
    inset-block-start: -14px;
    inset-inline-end: 16px;
    padding: 1px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--background);
    box-shadow: 0 1px 4px rgb(0 0 0 / 12%);
  }
  .message:first-child .toolbar {
    inset-block-start: 0;
  }
  .pending .content {
    opacity: 0.75;
  }
  .pending.failed .content {
    opacity: 1;
  }
  .plain-text {
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  .failure {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    align-items: center;
    color: var(--danger);
    font-size: 0.9em;
  }
  .failure button {
    color: var(--text);
  }
  .to-end {
    display: flex;
    position: absolute;
    inset-block-end: 10px;
    inset-inline: 0;
    width: fit-content;
    margin: auto;
    gap: 6px;
    align-items: center;
    min-width: 36px;
    min-height: 34px;
    padding: 4px 10px;
    border: 1px solid var(--line);
    border-radius: 17px;
    background: var(--background);
    box-shadow: 0 2px 8px rgb(0 0 0 / 18%);
  }
  .edit {
    margin: 4px 0;
  }
  .edit textarea {
    width: 100%;
    margin-bottom: 6px;
  }
`
