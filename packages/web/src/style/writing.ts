import { css } from 'lit'

/** The parts below the messages. */
export const writing = css`
  parley-typing {
    display: block;
    height: 1.5em;
    padding: 0 16px;
    overflow: hidden;
    color: var(--text-quiet);
    font-size: 0.82em;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .composer {
    position: relative;
    padding: 0 16px 12px;
  }
  .narrow .composer {
    padding: 0 8px 8px;
  }
  .field {
    display: flex;
    position: relative;
    gap: 2px;
    align-items: end;
    padding: 4px;
    border: 1px solid var(--control-line);
    border-radius: calc(var(--radius) + 4px);
    background: var(--field-background);
  }
  .field:focus-within,
  .chips:focus-within {
    border-color: var(--accent);
    outline: 1px solid var(--accent);
  }
  .field textarea {
    flex: 1;
    min-width: 0;
    min-height: 34px;
    max-height: min(40vh, 320px);
    padding: 6px 8px;
    border: 0;
    background: none;
    line-height: 1.45;
    outline: none;
    resize: none;
  }
  .field textarea::placeholder {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .field button {
    flex: none;
    min-width: 34px;
    min-height: 34px;
  }
  .send {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    border: 0;
    border-radius: var(--radius);
    background: var(--accent);
    color: var(--accent-text);
  }
  .send:disabled {
    background: none;
    color: var(--text-quiet);
  }
  .topic-field {
    width: 100%;
    margin-bottom: 6px;
  }
  .problem {
    color: var(--danger);
    font-size: 0.9em;
  }
  .drop {
    position: absolute;
    inset: 0 16px 12px;
    display: grid;
    place-items: center;
    border: 2px dashed var(--accent);
    border-radius: calc(var(--radius) + 4px);
    background: var(--background);
    pointer-events: none;
  }
  .uploads {
    padding-bottom: 6px;
    font-size: 0.9em;
  }
  .upload {
    display: flex;
    gap: 8px;
    align-items: center;
  }
  .upload > span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .upload progress {
    flex: 1;
    max-width: 200px;
    accent-color: var(--accent);
  }
  .suggestions {
    position: absolute;
    inset-block-end: calc(100% + 6px);
    inset-inline: 0;
    z-index: 1;
    max-height: 280px;
    margin: 0;
    padding: 4px;
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) + 2px);
    background: var(--background);
    box-shadow: 0 4px 16px rgb(0 0 0 / 18%);
    list-style: none;
  }
  .suggestions li,
  .options li {
    display: flex;
    gap: 8px;
    align-items: center;
    min-height: 32px;
    padding: 2px 8px;
    border-radius: var(--radius);
    cursor: pointer;
  }
  li[aria-selected='true'] {
    background: var(--selected);
  }
  .suggestions .glyph,
  .suggestions img {
    width: 20px;
    border-radius: 4px;
    text-align: center;
  }
  .hint {
    color: var(--text-quiet);
    font-size: 0.88em;
  }
  span.hint {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`
