/** The texts of the viewer of pictures. */
export const pictureTexts = {
  pictures: 'Pictures',
  previous: 'Previous picture',
  next: 'Next picture',
  position: (name: string, index: number, count: number) => `${name}, ${index} of ${count}`,
  openOriginal: 'Open the original',
  broken: 'The picture cannot be shown.',
} as const
