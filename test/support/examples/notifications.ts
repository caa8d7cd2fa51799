import { devices, humans, unused, unusedNumber, type Examples } from './example.js'

const apns = '/users/me/apns_device_token'
const fcm = '/users/me/android_gcm_reg_id'
const apnsToken = () => ({
  token: unusedNumber().toString(16).padStart(8, '0'),
  appid: 'org.example.Chat-1',
})

export const notifications: Examples = {
  'add-apns-token': {
    call: (_, by) => by.post(apns, apnsToken()),
    refused: humans,
    audited: devices,
  },
  'remove-apns-token': {
    call: async (_, by) => {
      const { token, appid } = apnsToken()
      await by.post(apns, { token, appid })
      return by.delete(apns, { token })
    },
    refused: humans,
    audited: devices,
  },
  'add-fcm-token': {
    call: (_, by) => by.post(fcm, { token: unused('token') }),
    refused: humans,
    audited: devices,
  },
  'remove-fcm-token': {
    call: async (_, by) => {
      const token = unused('token')
      await by.post(fcm, { token })
      return by.delete(fcm, { token })
    },
    refused: humans,
    audited: devices,
  },
}
