export { ImageFiles } from './image-files.js'
export { ImageResizer, type ImageShape, type ImageSource } from './image-resizer.js'
export {
  shownImage,
  showImage,
  type ImageElsewhere,
  type ShownImage,
} from './shown-image-operations.js'
export {
  hasTooManyPixels,
  requireImage,
  requireOneImage,
  type UploadedImage,
} from './uploaded-image.js'
