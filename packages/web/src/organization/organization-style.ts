import { css } from 'lit'

/** The list of people, and the administration. */
export const organizationStyle = css`
  parley-organization {
    display: flex;
    flex-direction: column;
    gap: 8px;
    height: min(680px, 100dvh - 40px);
  }
  .sheet label.people-filter {
    display: flex;
    gap: 8px;
    align-items: center;
    margin: 0;
  }
  .people-filter select {
    flex: 1;
    min-width: 0;
  }
  .options li:has(> .person) {
    padding: 0;
  }
  .person {
    display: flex;
    flex: 1;
    gap: 10px;
    align-items: center;
    min-width: 0;
    padding: 4px 8px;
    border: 0;
    border-radius: var(--radius);
    background: none;
    text-align: start;
  }
  .person:hover {
    background: var(--hover);
  }
  .person:focus-visible {
    outline-offset: -2px;
  }
  .person .body {
    display: flex;
    flex: 1;
    flex-direction: column;
    min-width: 0;
  }
  .options .person .hint {
    flex: none;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .person .dot {
    flex: none;
    margin: 0;
  }
  .person .dot.away {
    visibility: hidden;
  }
  dialog .people-foot {
    display: flex;
    gap: 8px;
    align-items: center;
    justify-content: space-between;
    min-height: 30px;
    margin: 0;
  }
  .entry .move:disabled {
    opacity: 0.5;
  }
  .entry code {
    font-family: var(--font-code);
  }
  .settings .option {
    display: flex;
    gap: 8px;
    padding-block: 4px;
  }
  .settings .option input {
    flex: 1;
    min-width: 0;
  }
`
