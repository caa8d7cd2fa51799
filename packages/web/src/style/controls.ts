import { css } from 'lit'

/** Buttons and fields. */
export const controls = css`
  .icon {
    display: block;
    width: 16px;
    height: 16px;
  }
  :is(.back, .send):dir(rtl) .icon {
    scale: -1 1;
  }
  .only-read {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  button,
  input,
  select,
  textarea {
    color: inherit;
    font: inherit;
  }
  button {
    cursor: pointer;
  }
  button:disabled {
    cursor: default;
  }
  :focus {
    outline: none;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
  }
  button:focus-visible {
    outline-offset: 1px;
  }
  input,
  select,
  textarea {
    min-height: 32px;
    padding: 5px 10px;
    border: 1px solid var(--control-line);
    border-radius: var(--radius);
    background: var(--field-background);
  }
  ::placeholder {
    color: var(--text-quiet);
    opacity: 1;
  }
  [type='checkbox'],
  [type='radio'] {
    accent-color: var(--accent);
  }
  button.plain {
    min-height: 30px;
    padding: 3px 10px;
    border: 1px solid var(--control-line);
    border-radius: var(--radius);
    background: var(--background);
  }
  button.plain:hover {
    background: var(--hover);
  }
  button.main {
    display: inline-block;
    min-height: 30px;
    padding: 3px 14px;
    border: 0;
    border-radius: var(--radius);
    background: var(--accent);
    color: var(--accent-text);
    font-weight: 600;
  }
  button.main.danger {
    background: var(--danger);
    color: var(--background);
  }
  button.quiet {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-width: 30px;
    min-height: 30px;
    padding: 0;
    border: 0;
    border-radius: var(--radius);
    background: none;
    color: var(--text-quiet);
  }
  button.quiet:hover {
    background: var(--hover);
    color: var(--text);
  }
  .edit-buttons {
    display: flex;
    gap: 8px;
    align-items: center;
  }
  @media (forced-colors: active) {
    .link[aria-current] {
      border: 1px solid Highlight;
    }
    .reaction[aria-pressed='true'] {
      border-width: 2px;
    }
    .count,
    button.main,
    button.send {
      border: 1px solid;
    }
    .dot.active {
      background: CanvasText;
      forced-color-adjust: none;
    }
    .row.marked {
      outline: 1px dashed;
      outline-offset: -2px;
    }
  }
`
