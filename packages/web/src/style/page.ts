import { css } from 'lit'

/** The buttons below the list of conversations. */
export const page = css`
  button.quiet.wide-button {
    display: flex;
    gap: 8px;
    justify-content: start;
    width: 100%;
    min-height: 28px;
    padding: 2px 8px;
    font-size: 0.9em;
    text-align: start;
  }
  .narrow button.quiet.wide-button {
    min-height: 36px;
  }
  button.quiet.own,
  button.quiet.logout {
    width: calc(100% - 16px);
    margin: 0 8px 6px;
  }
  button.quiet.own {
    flex: none;
    min-height: 40px;
    color: var(--text);
    font-weight: 600;
  }
  .own .avatar {
    width: 28px;
    height: 28px;
    margin: 0;
    cursor: pointer;
  }
  .own .name {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .own .icon {
    flex: none;
    color: var(--text-quiet);
  }
`
