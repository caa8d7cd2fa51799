import { css } from 'lit'

/** The viewer of pictures fills the window. */
export const pictureStyle = css`
  .pictures {
    width: calc(100vw - 24px);
    max-width: none;
    height: calc(100dvh - 24px);
    max-height: none;
    padding: 8px 16px 16px;
  }
  .pictures[open] {
    display: flex;
    flex-direction: column;
    gap: 8px;
  }
  .pictures .picture {
    display: flex;
    flex: 1;
    align-items: center;
    justify-content: center;
    min-height: 0;
  }
  .pictures .picture img {
    max-width: 100%;
    max-height: 100%;
    object-fit: contain;
  }
  .pictures .picture-controls {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    justify-content: center;
  }
  .pictures .picture-controls a {
    padding-block: 2px;
    color: var(--link);
  }
  .pictures .next,
  .pictures .previous:dir(rtl) {
    scale: -1 1;
  }
  .pictures .next:dir(rtl) {
    scale: none;
  }
`
