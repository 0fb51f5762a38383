// For a clang that is newer than the device libraries: a switch of theirs that it sets no more. Denormals are kept.
#if defined(__HIP_DEVICE_COMPILE__)
extern "C" __attribute__((constant, device, weak, visibility("hidden"), used)) const unsigned char __oclc_daz_opt = 0;
#endif
