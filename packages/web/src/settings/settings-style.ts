import { css } from 'lit'

export const settingsStyle = css`
  .settings {
    width: min(640px, 100vw - 16px);
    max-width: none;
    padding: 8px 16px 4px;
  }
  parley-settings {
    display: flex;
    flex-direction: column;
    gap: 8px;
    height: min(680px, 100dvh - 40px);
  }
  .tabs {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    gap: 4px;
    border-bottom: 1px solid var(--line);
  }
  .tabs button {
    min-height: 34px;
    padding: 4px 10px;
    border: 0;
    border-bottom: 3px solid transparent;
    background: none;
    color: var(--text-quiet);
  }
  .tabs button:hover {
    background: var(--hover);
  }
  .tabs [aria-selected='true'] {
    border-color: var(--accent);
    color: var(--text);
    font-weight: 600;
  }
  .settings-panel,
  .settings-panel > * {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-height: 0;
  }
  .settings-body {
    flex: 1;
    min-height: 0;
    overflow: auto;
    padding: 2px;
    overflow-wrap: anywhere;
  }
  .settings-status {
    flex: none;
    min-height: 1.5em;
    border-top: 1px solid var(--line);
    padding-top: 3px;
    color: var(--text-quiet);
    font-size: 0.9em;
  }
  .settings fieldset {
    min-width: 0;
    margin: 0 0 16px;
    padding: 0;
    border: 0;
  }
  .settings legend,
  .settings h3 {
    margin: 0;
    padding: 8px 0 4px;
    font-size: 1em;
    font-weight: 600;
  }
  .settings .check {
    display: flex;
    gap: 8px;
    align-items: center;
    min-height: 30px;
  }
  .settings [type='checkbox'] {
    flex: none;
    width: 18px;
    min-height: 18px;
    margin: 0;
  }
  .settings .pair {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    align-items: center;
    padding-block: 4px;
  }
  .settings .pair > span {
    flex: 1 1 220px;
  }
  .settings .pair > :not(span) {
    flex: 1 1 200px;
    min-width: 0;
    max-width: 100%;
  }
  .settings form {
    margin-bottom: 16px;
  }
  .settings .quiet-text {
    color: var(--text-quiet);
    font-size: 0.9em;
  }
  .settings .avatar {
    flex: none;
    width: 64px;
    height: 64px;
  }
  .settings .picture {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    padding-block: 4px;
  }
  .settings .picture img.emoji {
    width: 22px;
    height: 22px;
  }
  .settings .choices {
    max-height: 170px;
    overflow: auto;
    overscroll-behavior: contain;
  }
  .copy-field {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 8px;
    align-items: end;
  }
  .copy-field .pair {
    flex: 1 1 240px;
    min-width: 0;
  }
  .items {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .items li {
    padding-block: 8px;
    border-bottom: 1px solid var(--line);
  }
  .items p {
    margin: 0 0 6px;
    white-space: pre-wrap;
  }
  .settings .items li.entry {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 10px;
    align-items: center;
  }
  .entry .about {
    flex: 1 1 120px;
    min-width: 0;
  }
  .entry .avatar,
  .entry img.emoji {
    flex: none;
    width: 32px;
    height: 32px;
    object-fit: contain;
  }
  .items + .edit-buttons {
    padding-top: 8px;
  }
  .settings .problem {
    color: var(--danger);
  }
  .settings .problem:not(:empty) {
    padding-block: 4px;
  }
  .settings .filters {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    padding-block: 4px;
  }
  .settings .filters > * {
    flex: 1 1 160px;
    min-width: 0;
  }
  .entry .details {
    flex: 1 1 100%;
    min-width: 0;
  }
`
