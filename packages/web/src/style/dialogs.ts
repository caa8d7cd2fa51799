import { css } from 'lit'

/** Dialogs, which are loaded on demand. */
export const dialogs = css`
  dialog {
    padding: 16px;
    border: 1px solid var(--line);
    border-radius: 10px;
    background: var(--background);
    color: var(--text);
    box-shadow: 0 8px 32px rgb(0 0 0 / 25%);
  }
  dialog::backdrop {
    background: rgb(0 0 0 / 30%);
  }
  dialog p {
    margin: 0 0 16px;
  }
  dialog .edit-buttons {
    justify-content: end;
  }
  .ask {
    width: min(460px, 100vw - 24px);
    overflow-wrap: anywhere;
  }
  .ask h2 {
    margin: 0 0 12px;
    font-size: 1.1em;
  }
  .ask ul {
    padding: 0;
    list-style: none;
  }
  .ask li {
    padding-block: 4px;
  }
  .menu {
    display: flex;
    flex-direction: column;
    gap: 8px;
  }
  label.menu {
    gap: 3px;
  }
  .beside::backdrop {
    background: none;
  }
  .beside {
    box-shadow: 0 6px 24px rgb(0 0 0 / 22%);
  }
  .menu-box {
    width: fit-content;
    min-width: 220px;
    max-width: min(340px, 100vw - 16px);
    padding: 4px;
    border-radius: calc(var(--radius) + 2px);
  }
  .actions {
    display: flex;
    flex-direction: column;
  }
  .action {
    display: flex;
    gap: 10px;
    align-items: center;
    min-height: 32px;
    padding: 4px 10px;
    border: 0;
    border-radius: var(--radius);
    background: none;
    overflow-wrap: anywhere;
    text-align: start;
  }
  .action:hover,
  .action:focus-visible {
    background: var(--hover);
  }
  .action .icon {
    flex: none;
    color: var(--text-quiet);
  }
  .action.danger,
  .action.danger .icon {
    color: var(--danger);
  }
  .action.last {
    margin-top: 4px;
    color: var(--text-quiet);
  }
  .times {
    display: flex;
    flex-direction: column;
    gap: 6px;
    margin-block: 4px;
  }
  .times .plain {
    display: flex;
    justify-content: space-between;
    align-items: center;
  }
  @media (max-width: 639px) {
    .beside {
      width: calc(100vw - 16px);
      max-width: none;
      margin: auto auto 8px;
    }
    .beside::backdrop {
      background: rgb(0 0 0 / 30%);
    }
    .action {
      min-height: 44px;
    }
  }
  .highlight_text_inserted {
    background: var(--own-mention-background);
  }
  .highlight_text_deleted {
    color: var(--danger);
    text-decoration: line-through;
  }
  .sheet,
  .card {
    width: min(440px, 100vw - 24px);
    max-width: none;
    padding: 8px 16px 16px;
  }
  .card {
    width: min(340px, 100vw - 24px);
  }
  .sheet > * {
    display: flex;
    flex-direction: column;
    gap: 10px;
    height: min(536px, 100dvh - 48px);
  }
  .card .bar {
    gap: 14px;
    margin-bottom: 14px;
    overflow-wrap: anywhere;
  }
  .card .avatar {
    flex: none;
    width: 64px;
    height: 64px;
  }
  .card .dot {
    display: inline-block;
    margin: 0;
  }
  .chips {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    gap: 4px;
    max-height: 30%;
    padding: 4px;
    overflow: auto;
    border: 1px solid var(--control-line);
    border-radius: var(--radius);
    background: var(--field-background);
  }
  .chips input {
    flex: 1;
    min-width: 120px;
    border: 0;
    background: none;
    outline: none;
  }
  .chip {
    display: flex;
    align-items: center;
    max-width: 100%;
    padding-inline-start: 8px;
    border-radius: var(--radius);
    background: var(--selected);
  }
  .chip .quiet {
    color: var(--text);
  }
  .chip .name,
  .options .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .options {
    flex: 1;
    min-height: 0;
    margin: 0;
    padding: 0;
    overflow: auto;
    list-style: none;
  }
  .options li {
    gap: 10px;
    padding: 4px 8px;
    cursor: auto;
  }
  .options .avatar {
    flex: none;
    width: 28px;
    height: 28px;
    margin: 0;
  }
  .options span.hint {
    flex: 1 1 0;
  }
  .options a.name {
    display: block;
    overflow-wrap: anywhere;
    white-space: normal;
    color: inherit;
    font-weight: 600;
    text-decoration: none;
  }
  .options a.name:is(:hover, :focus-visible) {
    text-decoration: underline;
  }
  .options .plain,
  .options .icon {
    flex: none;
  }
  .sheet .note {
    flex: 1;
    margin: 0;
  }
  .sheet label {
    display: block;
    margin-bottom: 12px;
  }
  .sheet label input:not([type]) {
    width: 100%;
  }
  .sheet [type='checkbox'] {
    min-height: 0;
  }
  .picker {
    width: min(340px, 100vw - 24px);
    height: min(400px, 100vh - 24px);
    padding: 12px;
  }
  .picker[open] {
    display: flex;
    flex-direction: column;
    gap: 8px;
  }
  .grid {
    overflow: auto;
  }
  .grid > div {
    display: grid;
    grid-template-columns: repeat(8, 1fr);
  }
  .grid button {
    width: 100%;
    min-height: 36px;
    padding: 0;
    border: 0;
    border-radius: var(--radius);
    background: none;
    font-size: 22px;
    line-height: 1;
  }
  .grid button:hover {
    background: var(--hover);
  }
`
