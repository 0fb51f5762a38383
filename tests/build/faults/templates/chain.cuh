#pragma once
#include <device_launch_parameters.h>

template <typename T> struct Inner {
  static void go(T *p) {
    cudaFree(p);
    p->no_such_member(); // FAULT 2
  }
};

template <typename T> struct Middle {
  static void go(T *p) { Inner<T>::go(p); }
};

template <typename T> void outer(T *p) {
  Middle<T>::go(p);
}

template <typename T, typename U> __global__ void kernel(T *p, U *q) {
  static_assert(sizeof(T) == sizeof(U), "sizes"); // FAULT 3
  *p = *q;
}

template <typename U, typename T> void run(T *p) {
  kernel<T, U><<<1, 2>>>(p, (U *)p);
}
