import { css } from 'lit'

/** The help of shortcuts, and what is below the list of conversations. */
export const extraStyle = css`
  .foot {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    padding-bottom: 12px;
  }
  .bar:has(> parley-foot) {
    align-items: start;
  }
  .foot button {
    padding-inline: 8px;
    gap: 8px;
    font-size: 0.88em;
  }
  .foot [role='status'] {
    margin: 0 8px;
    color: var(--text-quiet);
    font-size: 0.88em;
  }
  .switch {
    gap: 8px;
    min-height: 32px;
  }
  .switch input {
    min-height: 0;
  }
  .shortcuts p {
    margin: 12px 0 4px;
    color: var(--text-quiet);
  }
  .shortcuts dl {
    margin: 0;
  }
  .shortcuts dl > div {
    display: flex;
    gap: 12px;
    padding-block: 3px;
  }
  .shortcuts dt {
    flex: 0 0 38%;
  }
  .shortcuts dd {
    margin: 0;
  }
  .shortcuts kbd {
    padding: 1px 6px;
    border: 1px solid var(--control-line);
    border-radius: 4px;
    background: var(--code-background);
    font: 0.9em var(--font-code);
  }
`
