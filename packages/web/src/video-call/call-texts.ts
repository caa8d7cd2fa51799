/** The texts of video calls. */
export const callTexts = {
  add: 'Add a video call',
  join: 'Join the video call',
  meeting: (place: string) => `Call in ${place}`,
} as const
