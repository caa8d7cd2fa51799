/** The thumbnails of uploaded images, as announced to clients. */
export const thumbnailFormats = [
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
] as const
export type ThumbnailFormat = (typeof thumbnailFormats)[number]
