export { ImageResizer, type ImageShape } from './image-resizer.js'
